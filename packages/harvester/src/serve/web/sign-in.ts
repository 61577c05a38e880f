import { createHmac, randomBytes } from "node:crypto";
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { readForm } from "./guards.ts";
import { formProblem, type Html, page } from "./look/layout.ts";
import { beginSession, endSession, isSession } from "./queries/sessions.ts";
import { clientOf, TokenGuard } from "./rate-limits.ts";
import type { View, WebDependencies, WebEnv } from "./request-context.ts";

const COOKIE = "rs-harvest";

/** Seconds that a sign-in lasts. */
const SESSION = 30 * 86_400;

interface AuthenticationOptions extends Pick<WebDependencies, "database" | "now"> {
  readonly token: string;
  readonly trustProxy: boolean;
}

/** Whether a request has the token: by `Authorization: Bearer`, or by the cookie of a session. */
export class Authentication {
  readonly #options: AuthenticationOptions;
  readonly #guard: TokenGuard;

  constructor(options: AuthenticationOptions) {
    this.#options = options;
    this.#guard = new TokenGuard(options.now);
  }

  /**
   * Whether that is the token.
   * @throws {HTTPException} 429 after many wrong ones
   */
  isToken(context: Context<WebEnv>, given: string): boolean {
    this.refuseGuesses(context);
    return this.#guard.isRight(this.#clientOf(context), given, this.#options.token);
  }

  /** @throws {HTTPException} 429 after many wrong tokens */
  refuseGuesses(context: Context<WebEnv>): void {
    const wait = this.#guard.waitOf(this.#clientOf(context));
    if (wait === 0) return;
    context.header("Retry-After", String(wait));
    throw new HTTPException(429, { message: "Those were many wrong tokens. Wait a while." });
  }

  /**
   * Whether a request has the token in its headers; `undefined` if it has none.
   * @throws {HTTPException} 429 after many wrong ones
   */
  hasToken(context: Context<WebEnv>): boolean | undefined {
    const [, bearer] = /^bearer +(.+)$/i.exec(context.req.header("authorization") ?? "") ?? [];
    return bearer === undefined ? undefined : this.isToken(context, bearer);
  }

  /**
   * Whether a request has the token, or the cookie of a session.
   * @throws {HTTPException} 429 after many wrong tokens
   */
  async isSignedIn(context: Context<WebEnv>): Promise<boolean> {
    return this.hasToken(context) ?? (await this.#hasSession(context));
  }

  /** Sets a cookie, which does not hold the token. Returns the session, which is to be stored. */
  signIn(context: Context<WebEnv>): { readonly id: string; readonly until: number } {
    const id = randomBytes(24).toString("base64url");
    const until = Math.floor(this.#options.now() + SESSION);
    setCookie(context, COOKIE, `${id}.${this.#signature(id)}`, {
      ...cookiePlace(context),
      httpOnly: true,
      sameSite: "Strict",
      maxAge: SESSION,
    });
    return { id, until };
  }

  /** Deletes the cookie. Returns the id of its session, which is to be ended on the server as well. */
  signOut(context: Context<WebEnv>): string | undefined {
    const cookie = getCookie(context, COOKIE);
    deleteCookie(context, COOKIE, cookiePlace(context));
    return cookie?.split(".")[0];
  }

  /** A cookie that is no longer valid is deleted: each request with it would count as a wrong token. */
  async #hasSession(context: Context<WebEnv>): Promise<boolean> {
    const cookie = getCookie(context, COOKIE);
    if (cookie === undefined) return false;
    const [id = "", signature = ""] = cookie.split(".");
    const client = this.#clientOf(context);
    if (this.#guard.waitOf(client) > 0) return false;
    const { database, now } = this.#options;
    const isOurs = this.#guard.isRight(client, signature, this.#signature(id));
    const isOpen = isOurs && (await isSession(database, id, now()));
    if (!isOpen) deleteCookie(context, COOKIE, cookiePlace(context));
    return isOpen;
  }

  #clientOf(context: Context<WebEnv>): string {
    return clientOf(context, this.#options.trustProxy);
  }

  /** Sessions end with the token that they began with. */
  #signature(id: string): string {
    return createHmac("sha256", this.#options.token).update(id).digest("base64url");
  }
}

function cookiePlace(context: Context<WebEnv>): {
  readonly path: string;
  readonly secure: boolean;
} {
  const { origin, links } = context.get("view");
  return { path: links.home, secure: origin.startsWith("https:") };
}

export function signInRoutes(
  { writing, now }: Pick<WebDependencies, "writing" | "now">,
  authentication: Authentication,
): Hono<WebEnv> {
  return new Hono<WebEnv>()
    .get("/sign-in", (context) => context.html(signInPage(context.get("view"))))
    .post("/sign-in", async (context) => {
      const view = context.get("view");
      authentication.refuseGuesses(context);
      const field = await readForm(context);
      if (!authentication.isToken(context, field("token"))) {
        return context.html(signInPage(view, "That is not the token."), 401);
      }
      const session = authentication.signIn(context);
      await beginSession(writing, session, now());
      return context.redirect(view.links.home, 303);
    })
    .post("/sign-out", async (context) => {
      const session = authentication.signOut(context);
      if (session !== undefined) await endSession(writing, session);
      return context.redirect(context.get("view").links.home, 303);
    });
}

function signInPage(view: View, problem?: string): Html {
  const isWrong = problem !== undefined;
  return page(view, {
    title: "Sign in",
    body: html`<h1>Sign in</h1>
<p class="lead">For the operator of this service. Everybody may read without it.</p>
${formProblem(problem)}
<form class="follow" method="post" action="${view.links.signIn}">
<label for="token">Token</label>
<div class="field">
<input id="token" name="token" type="password" autocomplete="current-password" required maxlength="1000"${
      isWrong ? html` aria-invalid="true" aria-describedby="problem" autofocus` : ""
    }>
<button>Sign in</button>
</div>
</form>`,
  });
}
