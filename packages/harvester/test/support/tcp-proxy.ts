import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands between a client and a server on this machine, and can be away. */
export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #behind: URL;
  readonly #sockets = new Set<Socket>();
  #isAway = false;

  private constructor(server: Server, behind: URL) {
    this.#server = server;
    this.#behind = behind;
  }

  /** @param url of a PostgreSQL database, where its server listens */
  static async before(url: string): Promise<TcpProxy> {
    const behind = new URL(url);
    const port = Number(behind.port || 5432);
    const server = createServer();
    const proxy = new TcpProxy(server, behind);
    server.on("connection", (client) => {
      if (proxy.#isAway) return void client.resetAndDestroy();
      const peer = connect(port, behind.hostname);
      client.pipe(peer).pipe(client);
      for (const socket of [client, peer]) {
        proxy.#sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          proxy.#sockets.delete(socket);
          client.destroy();
          peer.destroy();
        });
      }
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return proxy;
  }

  /** Of the same database, by way of the proxy. */
  get url(): string {
    const address = this.#server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return Object.assign(new URL(this.#behind), { host: `127.0.0.1:${port}` }).href;
  }

  /** Ends all connections, and refuses others until it is back. */
  set isAway(isAway: boolean) {
    this.#isAway = isAway;
    if (isAway) for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isAway = true;
    this.#server.close();
    await once(this.#server, "close");
  }
}
