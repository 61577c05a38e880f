import { LARGEST } from "./bounds.ts";

type Random = (below: number) => number;
type Mutation = (bytes: Buffer) => Buffer;

/** Numbers at which programs err, for texts and for binary fields. */
const NUMBERS = ["0", "-1", "1", "65535", "65536", "2147483648", "4294967295", "1e999", "NaN"];

/** Characters that are rare, and mean something to some reader. */
const ODD = [
  "\0",
  "\ufeff",
  "\u2028",
  "\ud83d\ude00",
  "\u0130",
  "\u0301",
  "\r",
  "\v",
  "&",
  "%",
  "\\",
];

/** One of so many inputs is made long by repeating a part of it: so is found what costs too much. */
const PUMPED = 8;

/** Bytes of such a run. The longest ones are rare: each takes the time of many. */
const LENGTHS = [500, 2000, 16_000, LARGEST / 2];

/** Where a piece of markup, a line, a word or a record begins. */
const EDGES = ["<", "\n", ">", " ", '"', "PK"];

/** Makes inputs from others. The same random numbers make the same inputs. */
export class Mutator {
  readonly #random: Random;
  readonly #words: readonly string[];
  readonly #mutations: readonly Mutation[];
  #turn = 0;

  constructor(random: Random, words: readonly string[]) {
    this.#random = random;
    this.#words = words;
    this.#mutations = [
      (bytes) => this.#insert(bytes, this.#word()),
      (bytes) => this.#insert(bytes, this.#word()),
      (bytes) => this.#replace(bytes, this.#word()),
      (bytes) => this.#insert(bytes, this.#phrase()),
      (bytes) => this.#insert(bytes, Buffer.from(this.#one(ODD))),
      (bytes) => this.#replace(bytes, Buffer.from(this.#one(NUMBERS))),
      (bytes) => this.#flip(bytes),
      (bytes) => this.#number(bytes),
      (bytes) => this.#remove(bytes),
      (bytes) => this.#remove(bytes),
      (bytes) => this.#insert(bytes, this.#part(bytes, 200)),
      (bytes) => bytes.subarray(0, this.#random(bytes.length + 1)),
      (bytes) => this.#repeat(bytes, 2000),
    ];
  }

  /** @param other is mixed in now and then */
  mutate(input: Uint8Array, other: Uint8Array): Uint8Array {
    let bytes: Buffer = Buffer.from(input);
    if (this.#random(8) === 0) bytes = this.#cross(bytes, Buffer.from(other));
    for (let left = 1 + this.#random(4); left > 0; left -= 1) {
      bytes = this.#one(this.#mutations)(bytes);
    }
    if (this.#random(PUMPED) === 0) bytes = this.#pump(bytes);
    return bytes.subarray(0, LARGEST);
  }

  /** Long runs of one or two parts: what is opened again and again, and what is closed. */
  #pump(bytes: Buffer): Buffer {
    const most = this.#one(LENGTHS);
    const once = this.#insert(bytes, this.#run(this.#pumped(bytes), most));
    return this.#random(2) === 0 ? this.#insert(once, this.#run(this.#pumped(once), most)) : once;
  }

  /** Each word has its turn; every other time it is a phrase, or a part of the input. */
  #pumped(bytes: Buffer): Buffer {
    this.#turn += 1;
    const word = this.#words[(this.#turn >> 1) % this.#words.length];
    if (this.#turn % 2 === 0 && word !== undefined) return Buffer.from(word);
    return this.#random(2) === 0 ? this.#phrase() : this.#part(bytes, 40);
  }

  #run(part: Buffer, length: number): Buffer {
    return Buffer.concat(Array<Buffer>(Math.ceil(length / Math.max(1, part.length))).fill(part));
  }

  #repeat(bytes: Buffer, most: number): Buffer {
    const part = this.#random(2) === 0 ? this.#part(bytes, 40) : this.#phrase();
    return this.#insert(bytes, this.#run(part, this.#random(most)));
  }

  #insert(bytes: Buffer, part: Uint8Array): Buffer {
    const at = this.#place(bytes);
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
  }

  #replace(bytes: Buffer, part: Uint8Array): Buffer {
    const at = this.#place(bytes);
    const end = at + this.#random(2 * part.length + 1);
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(end)]);
  }

  #remove(bytes: Buffer): Buffer {
    const at = this.#place(bytes);
    const end = at + 1 + this.#random(this.#random(2) === 0 ? 8 : 200);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
  }

  #flip(bytes: Buffer): Buffer {
    const at = this.#random(bytes.length);
    const flipped = Buffer.from(bytes);
    if (bytes.length > 0) flipped[at] = (bytes[at] ?? 0) ^ (1 << this.#random(8));
    return flipped;
  }

  /** A binary field of two or four bytes. */
  #number(bytes: Buffer): Buffer {
    const size = this.#random(2) === 0 ? 2 : 4;
    if (bytes.length < size) return bytes;
    const changed = Buffer.from(bytes);
    const at = this.#random(bytes.length - size + 1);
    const ends = [0, 1, 2 ** (8 * size) - 1, 2 ** (8 * size - 1), this.#random(2 ** 16)];
    changed.writeUIntLE(this.#one(ends), at, size);
    return changed;
  }

  #cross(one: Buffer, other: Buffer): Buffer {
    return Buffer.concat([one.subarray(0, this.#place(one)), other.subarray(this.#place(other))]);
  }

  /** Often from the beginning of a piece of markup to that of another one. */
  #part(bytes: Buffer, most: number): Buffer {
    const at = this.#place(bytes);
    const end = at + 1 + this.#random(most);
    return bytes.subarray(at, this.#random(2) === 0 ? this.#edge(bytes, end) : end);
  }

  #phrase(): Buffer {
    return Buffer.concat(Array.from({ length: 1 + this.#random(3) }, () => this.#word()));
  }

  #word(): Buffer {
    return Buffer.from(this.#one(this.#words));
  }

  #place(bytes: Buffer): number {
    if (this.#random(8) === 0) return this.#one([0, bytes.length]);
    const at = this.#random(bytes.length + 1);
    return this.#random(2) === 0 ? at : this.#edge(bytes, at);
  }

  #edge(bytes: Buffer, from: number): number {
    const edge = bytes.indexOf(this.#one(EDGES), from);
    return edge < 0 ? from : edge;
  }

  #one<Choice>(choices: readonly Choice[]): Choice {
    const chosen = choices[this.#random(choices.length)];
    if (chosen === undefined) throw new RangeError("nothing to choose from");
    return chosen;
  }
}
