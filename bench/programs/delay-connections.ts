import { connect, createServer, type Socket } from "node:net";

/**
 * Passes connections on to another port as if it were far away: a round trip takes so many milliseconds, that of
 * the connection's set-up too. Bandwidth is as it is. Prints its port.
 */
const [, , port = "", target = "", roundTrip = ""] = process.argv;

const ONE_WAY = Number(roundTrip) / 2;

const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
  const far = connect({
    port: Number(target),
    host: "127.0.0.1",
    allowHalfOpen: true,
    noDelay: true,
  });
  const setUp = performance.now() + Number(roundTrip);
  passOn(near, far, setUp);
  passOn(far, near, setUp);
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    socket.on("error", () => other.destroy());
  }
});
server.listen(Number(port), "127.0.0.1", () => console.log(port));

/** Writes what one side sends to the other side, each piece as late as all; nothing arrives before the set-up. */
function passOn(from: Socket, to: Socket, setUp: number): void {
  const pieces: { readonly due: number; readonly bytes: Buffer | undefined }[] = [];
  let isWaiting = false;
  const deliver = () => {
    isWaiting = false;
    for (let piece = pieces[0]; piece !== undefined; piece = pieces[0]) {
      const early = piece.due - performance.now();
      if (early > 0) {
        isWaiting = true;
        setTimeout(deliver, Math.ceil(early));
        return;
      }
      pieces.shift();
      if (piece.bytes === undefined) to.end();
      else to.write(piece.bytes);
    }
  };
  const take = (bytes: Buffer | undefined) => {
    pieces.push({ due: Math.max(performance.now(), setUp) + ONE_WAY, bytes });
    if (!isWaiting) deliver();
  };
  from.on("data", take);
  from.on("end", () => take(undefined));
}
