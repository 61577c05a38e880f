import type { ServeArguments } from "./arguments.ts";
import type { Streams } from "./streams.ts";

export async function serve(_given: ServeArguments, _streams: Streams): Promise<number> {
  throw new Error("not yet");
}
