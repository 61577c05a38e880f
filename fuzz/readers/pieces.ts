/** Before each file of an input; its name follows, to the end of the line. */
const MARK = "\f";

/** The files of an input: what is before the first is passed over. */
export function piecesIn(bytes: Uint8Array): readonly (readonly [name: string, text: string])[] {
  const [, ...pieces] = Buffer.from(bytes).toString("latin1").split(MARK);
  return pieces.map((piece) => {
    const end = piece.indexOf("\n");
    return [end < 0 ? "" : piece.slice(0, end), piece.slice(end + 1)];
  });
}
