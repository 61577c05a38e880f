import type { HttpBindings } from "@hono/node-server";
import type { Kysely } from "kysely";
import type { Places } from "../../store/queries/feed-name.ts";
import type { Schema } from "../../store/schema.ts";
import type { Writer } from "../writer.ts";
import type { Access } from "./access.ts";
import type { Links } from "./links.ts";

/** What whoever runs the service decides. */
export interface WebSettings {
  readonly access: Access;
  /** Its address as followers know it; without one, every request says by what address it was opened. */
  readonly publicUrl: string | undefined;
  /** Further names that it may be opened by while it is local: others are refused. */
  readonly names: readonly string[];
  /** Whether a proxy before it says who asks. */
  readonly trustProxy: boolean;
  /** The WebSub hub that pushes the feeds. */
  readonly hub: string | undefined;
  /** Where site owners find who runs it: a web or mail address. */
  readonly contact: string;
}

/** What the service needs. */
export interface WebDependencies {
  /** For reading only. */
  readonly database: Kysely<Schema>;
  readonly writer: Writer;
  readonly settings: WebSettings;
  /** UTC seconds. */
  readonly now: () => number;
  /** Hears of mistakes of the service itself. */
  readonly report: (problem: unknown) => void;
}

/** What whoever asks may do. */
export interface Rights {
  readonly mayFollow: boolean;
  /** Unfollow, block, check at once. */
  readonly mayManage: boolean;
  /** There is a token, and it was not shown. */
  readonly canSignIn: boolean;
  /** The token was shown. */
  readonly isSignedIn: boolean;
}

/** What every page is made with. */
export interface View {
  readonly links: Links;
  /** Where the feeds stand, and whose page they are about. */
  readonly places: Places;
  /** Scheme and host that this request was made to. */
  readonly origin: string;
  readonly rights: Rights;
  readonly now: number;
}

/** What hono knows of a request. */
export interface WebEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: { readonly view: View };
}
