/**
 * What every error of rs-emit has: a stable `code`, and a message that names the thing and the cure.
 * Thrown deep, shown once at the top of the command.
 */
export abstract class EmitError extends Error {
  abstract readonly code: string;
  override get name(): string {
    return this.constructor.name;
  }
}
