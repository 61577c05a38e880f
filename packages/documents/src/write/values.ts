import { isLegalText } from "../characters.ts";
import { invalidValueError } from "../errors.ts";
import { isChangeKind } from "../kinds.ts";

/** The form of a value: a test, and words for the error. */
export interface Format {
  readonly allowed: string;
  accepts(value: string): boolean;
}

/** @throws {DocumentError} `INVALID_VALUE` where the format does not accept the value */
export function check(format: Format, name: string, value: string, subject: string): void {
  if (!format.accepts(value)) throw invalidValueError(name, value, format.allowed, subject);
}

const FULL =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/** Cached: an entry's two datetimes are mostly equal, and so are those of neighbours. */
let accepted = "";

/** The format that section 7 recommends, in years that the schema accepts. */
export const DATETIME: Format = {
  allowed: "a full datetime in UTC that exists, such as 2026-10-01T12:00:00Z",
  accepts(value) {
    if (value === accepted) return true;
    const accepts = FULL.test(value) && !value.startsWith("0000") && hasDay(value);
    if (accepts) accepted = value;
    return accepts;
  },
};

/** These characters, and escapes, in any number. Runs of them: a choice at each takes twice the time. */
const any = (characters: string) => `[${characters}]*(?:%[0-9A-Fa-f]{2}[${characters}]*)*`;
const PLAIN = "A-Za-z0-9\\-._~!$&'()*+,;=";
const USER = `${any(`${PLAIN}:`)}@`;
const HOST = `\\[[0-9A-Fa-f:.]+\\]|${any(PLAIN)}`;
const PATH_CHARACTERS = `${PLAIN}:@/`;
const ABSOLUTE = new RegExp(
  `^[A-Za-z][A-Za-z0-9+.-]*:(?://(?:${USER})?(?:${HOST})(?::\\d{0,5})?(?=[/?#]|$)|(?!//))` +
    `${any(PATH_CHARACTERS)}(?:\\?${any(`${PATH_CHARACTERS}?`)})?(?:#${any(`${PATH_CHARACTERS}?`)})?$`,
);

/** Matches most of what ABSOLUTE does, in half the time. */
const PLAIN_URL = new RegExp(`^https?://[A-Za-z0-9.-]+/[${PATH_CHARACTERS}]*$`);

const isAbsolute = (value: string) => PLAIN_URL.test(value) || ABSOLUTE.test(value);

export const URI: Format = {
  allowed: "an absolute URI, percent-encoded where needed",
  accepts: isAbsolute,
};

export const LOC: Format = {
  allowed: "an absolute URI of 12 to 2047 characters, percent-encoded where needed",
  accepts: (value) => value.length >= 12 && value.length <= 2047 && isAbsolute(value),
};

export const RELATION: Format = {
  allowed: "a registered relation in lower case, or an absolute URI",
  accepts: (value) => /^[a-z][a-z0-9.-]*$/.test(value) || ABSOLUTE.test(value),
};

export const TEXT: Format = {
  allowed: "a text that is not empty, of characters that XML can hold",
  accepts: (value) => value !== "" && isLegalText(value),
};

export const COMMENT: Format = {
  allowed: "a text without --, or - at its end, or carriage returns, that XML can hold",
  accepts: (value) => isLegalText(value) && !/--|-$|\r/.test(value),
};

export const HASH: Format = pattern(
  /^[A-Za-z0-9-]+:[0-9A-Fa-f]+(?:[ \t\n\r]+[A-Za-z0-9-]+:[0-9A-Fa-f]+)*$/,
  "a list of digests such as sha-256:9f86d0, in hexadecimal digits",
);
export const LENGTH: Format = pattern(/^\d+$/, "a number of bytes in decimal digits");
export const PRI: Format = pattern(/^[1-9]\d{0,5}$/, "an integer from 1 to 999999");
export const CHANGE: Format = { allowed: "created, updated or deleted", accepts: isChangeKind };
export const PRIORITY: Format = pattern(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, "a number from 0.0 to 1.0");
export const FREQUENCIES = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];

export const FREQUENCY: Format = {
  allowed: "always, hourly, daily, weekly, monthly, yearly or never",
  accepts: (value) => FREQUENCIES.includes(value),
};

/** Section 7, `path`, as the schema defines it. */
export const PATH: Format = {
  allowed: "a path that starts with / and does not end with it",
  accepts: (value) => /^\/[^\n\r]*[^/\n\r]$/.test(value) && isLegalText(value),
};

function pattern(expression: RegExp, allowed: string): Format {
  return { allowed, accepts: (value) => expression.test(value) };
}

function hasDay(datetime: string): boolean {
  if (datetime.slice(8, 10) <= "28") return true;
  const [year, month, day] = datetime.slice(0, 10).split("-").map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  // The calendar repeats every 400 years; Date maps the years 0 to 99 to 1900 to 1999.
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

const SCHEMA_TYPE = /^[A-Za-z0-9$^+-]+\/[A-Za-z0-9$^+-]+$/;

/** Cached: most neighbours in a list have the same type. */
let last: { readonly type: string; readonly allowed: string | undefined } | undefined;

/** Without parameters; `undefined` where the framework's schema rejects it, as types with a dot. */
export function schemaType(type: string): string | undefined {
  if (last?.type !== type) last = { type, allowed: allowedType(type) };
  return last.allowed;
}

function allowedType(type: string): string | undefined {
  const bare = type.split(";", 1)[0]?.trim() ?? "";
  return SCHEMA_TYPE.test(bare) ? bare : undefined;
}
