import { secureHeaders } from "hono/secure-headers";

/**
 * What browsers are told: no scripts, no frames, nothing from elsewhere, no word to other sites about
 * where a visitor comes from. To our own pages the referrer is sent: without one, browsers hide the origin of
 * forms too, and that is what tells them from forged ones.
 */
export function securityHeaders() {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    referrerPolicy: "same-origin",
    xFrameOptions: "DENY",
    // That is for whoever has the domain to decide.
    strictTransportSecurity: false,
  });
}
