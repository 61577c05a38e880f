import { expect, test } from "vitest";
import { NO_OPENSSL, SecureServer } from "./support/secure-server.ts";
import { SiteServer } from "./support/site-server.ts";
import { openTestTransport } from "./support/transport.ts";

test.skipIf(NO_OPENSSL)(
  "a certificate that is signed by itself is not trusted (needs openssl)",
  async () => {
    await using server = await SecureServer.start();
    await using transport = openTestTransport();
    const url = server.urlOf("example.test");
    await expect(transport.get(url)).rejects.toMatchObject({
      code: "UNREACHABLE",
      message: `${url} is not trusted: its certificate is signed by itself.`,
    });
    expect(server.requests).toEqual([]);
  },
);

test("a server without TLS does not speak it", async () => {
  await using server = await SiteServer.start();
  await using transport = openTestTransport();
  const url = server.site("example.test").url.replace("http:", "https:");
  await expect(transport.get(url)).rejects.toMatchObject({
    code: "UNREACHABLE",
    message: `${url} does not speak TLS correctly.`,
  });
});
