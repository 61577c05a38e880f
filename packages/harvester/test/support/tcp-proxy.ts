import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands between a client and a server on this machine, and can be away. */
export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isAway = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(host: string, port: number): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server);
    server.on("connection", (client) => {
      if (proxy.#isAway) return void client.resetAndDestroy();
      const peer = connect(port, host);
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

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
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
