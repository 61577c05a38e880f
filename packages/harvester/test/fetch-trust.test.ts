import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SiteServer } from "./support/site-server.ts";
import { openTestTransport } from "./support/transport.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

/** A server for a name with a certificate that nobody but itself has signed. */
async function openSelfSigned() {
  const folder = mkdtempSync(join(tmpdir(), "harvester-trust-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
      ...["-subj", "/CN=example.test", "-addext", "subjectAltName=DNS:example.test"],
      ...["-keyout", key, "-out", cert],
    ],
    { stdio: "ignore" },
  );
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
  rmSync(folder, { recursive: true });
  let requests = 0;
  server.on("request", (_, response) => {
    requests += 1;
    response.end("x");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `https://example.test:${address.port}/`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.skipIf(!hasOpenssl)(
  "a certificate that is signed by itself is not trusted (needs openssl)",
  async () => {
    await using server = await openSelfSigned();
    await using transport = openTestTransport();
    await expect(transport.get(server.url)).rejects.toMatchObject({
      code: "UNREACHABLE",
      message: `${server.url} is not trusted: its certificate is signed by itself.`,
    });
    expect(server.requests()).toBe(0);
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
