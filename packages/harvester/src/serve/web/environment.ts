import type { HttpBindings } from "@hono/node-server";
import type { Kysely } from "kysely";
import type { Places } from "../../store/queries/names.ts";
import type { Schema } from "../../store/schema.ts";
import type { Writer } from "../writer.ts";
import type { Access } from "./access.ts";
import type { Links } from "./links.ts";

export interface WebSettings {
  readonly access: Access;
  /** Its address as followers know it; by default the one of the request. */
  readonly publicUrl: string | undefined;
  /** `X-Forwarded-For` names the client. */
  readonly trustProxy: boolean;
  readonly hub: string | undefined;
  /** A web or mail address of the operator. */
  readonly contact: string;
}

export interface WebDependencies {
  /** For reading only. */
  readonly database: Kysely<Schema>;
  readonly writer: Writer;
  readonly settings: WebSettings;
  /** UTC seconds. */
  readonly now: () => number;
  readonly report: (problem: unknown) => void;
}

export interface Rights {
  readonly mayFollow: boolean;
  /** Unfollow, block, check at once. */
  readonly mayManage: boolean;
  /** There is a token, and the request does not have it. */
  readonly canSignIn: boolean;
  readonly isSignedIn: boolean;
}

export interface View {
  readonly links: Links;
  readonly places: Places;
  /** Scheme and host that this request was made to. */
  readonly origin: string;
  readonly rights: Rights;
  readonly now: number;
}

export interface WebEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: { readonly view: View };
}
