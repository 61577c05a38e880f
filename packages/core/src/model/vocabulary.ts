/** Namespaces of the attributes that our documents carry besides ResourceSync's own. */

import { DCTERMS, EMIT, WIKI } from "@rs-emit/documents";

/**
 * Our own: what rs-emit must remember and no vocabulary says.
 *
 * - `content` on an entry: the identity of a page's own content, `scheme:digest`
 * - `markup` on an entry: the identity of a page's tokens without comments, `scheme:digest`
 * - `publication` on a Change List or its index: the time of the publication that wrote it
 * - `previous` on an index: the time of the publication before; a first publication has none
 * - `id` on an index: the URL that ids in the collection's feed are made from, its first one
 * - `snapshot` on an index: the SHA-256 of the Resource List that belongs to it
 * - `withheld` on a Resource List: digests of the pages that stood there and were no resources
 * - `since` on an entry of the Source Description: it is ours, since that publication; on a Capability
 *   List: the publication that added its collection
 * - `siblings` on a Capability List: the source's other collections; see `siblingsToAttribute`
 */
/** Prefixes that each kind of document declares on its root. */
export const CHANGE_LIST_PREFIXES = { dcterms: DCTERMS, wiki: WIKI, emit: EMIT } as const;
export const RESOURCE_LIST_PREFIXES = { dcterms: DCTERMS, emit: EMIT } as const;
export const INDEX_PREFIXES = { emit: EMIT } as const;
