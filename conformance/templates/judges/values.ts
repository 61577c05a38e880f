import { at } from "../documents.ts";
import { type Edit, judged, LIST, OCTOBER, swap } from "./site.ts";

export function values(): void {
  judged(
    "prefixed-attributes",
    "ResourceSync's own attributes have a prefix.",
    ["R34 error"],
    LIST,
    swap(' capability="resourcelist" at=', ' capability="resourcelist" rs:at='),
  );
  judged(
    "hash-without-algorithm",
    "hash is a digest without its algorithm.",
    ["R49 error"],
    LIST,
    swap(/hash="sha-256:/, 'hash="'),
  );
  judged(
    "hash-that-is-no-digest",
    "hash is an algorithm with what is no digest.",
    ["R49 error"],
    LIST,
    swap(/hash="sha-256:[0-9a-f]{4}/, 'hash="sha-256:zzzz'),
  );
  judged(
    "type-that-is-none",
    "type is no media type.",
    ["R52 error"],
    LIST,
    swap('type="text/html"', 'type="a page"'),
  );
  judged(
    "loc-too-long",
    "loc has 2,048 characters or more.",
    ["T13a error"],
    LIST,
    swap("</urlset>", `  <url><loc>${at("/")}${"x".repeat(2_048)}</loc></url>\n</urlset>`),
  );
  judged(
    "loc-relative",
    "loc is relative.",
    ["T13b error"],
    LIST,
    swap(`<loc>${at("/b.html")}`, "<loc>b.html"),
    { also: [OCTOBER] },
  );
  judged(
    "not-well-formed",
    "An address has a bare &.",
    ["T10 error"],
    OCTOBER,
    swap(at("/b.html"), `${at("/b.html")}?a&b`),
  );
}

/** What readers pass over, and what stands twice. */
export function oddities(): void {
  judged(
    "attribute-without-prefix",
    "An attribute that ResourceSync does not know has no prefix.",
    ["R35 error"],
    LIST,
    swap('capability="resourcelist"', 'capability="resourcelist" mood="calm"'),
  );
  judged(
    "hash-too-short",
    "A SHA-256 has too few digits.",
    ["R49 error"],
    LIST,
    swap(/hash="sha-256:[0-9a-f]{4}/, 'hash="sha-256:'),
  );
  judged(
    "metadata-twice",
    "An entry has two rs:md.",
    ["P5 error"],
    OCTOBER,
    swap(/( *<rs:md change="deleted"[^>]*\/>\n)/, "$1$1"),
  );
  judged(
    "attributes-of-url",
    "A url has an attribute.",
    ["P4 error"],
    OCTOBER,
    swap("<url>", '<url id="first">'),
  );
  judged(
    "the-same-change-twice",
    "A URI and its datetime stand twice.",
    ["R87 warning"],
    OCTOBER,
    swap(/( {2}<url>\s*<loc>[^<]*b\.html[\s\S]*?<\/url>\n)/, "$1$1"),
  );
}

export function links(): void {
  const link = (attributes: string): Edit =>
    swap(/(?<=a\.html<\/loc>\n.*\/>)\n/, `\n    <rs:ln ${attributes}/>\n`);
  judged("link-without-href", "A link has no href.", ["R53a error"], LIST, link('rel="license"'));
  judged(
    "link-without-rel",
    "A link has no rel.",
    ["R53b error"],
    LIST,
    link(`href="${at("/licence.html")}"`),
  );
  judged(
    "link-with-an-unknown-rel",
    "rel is neither a registered relation nor a URI.",
    ["R56 error"],
    LIST,
    link(`rel="See Also" href="${at("/b.html")}"`),
  );
  judged(
    "link-pri",
    "pri is no number from 1 to 999,999.",
    ["R55 error"],
    LIST,
    link(`rel="duplicate" href="https://mirror.example/a.html" pri="0"`),
  );
  judged(
    "path-outside-a-manifest",
    "path stands outside of a manifest.",
    ["R51 warning"],
    LIST,
    swap(/(<rs:md hash="[^"]*")/, '$1 path="/a.html"'),
  );
  judged(
    "alternate-without-type",
    "A link to another representation does not say its type.",
    ["R105 warning"],
    LIST,
    link(`rel="alternate" href="${at("/a.txt")}"`),
  );
  judged(
    "patch-without-type",
    "A link to a patch does not say the type of the patch.",
    ["R107a error"],
    OCTOBER,
    swap(
      /(?<=b\.html<\/loc>\n.*\/>)\n/,
      `\n    <rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="${at("/b.diff")}"/>\n`,
    ),
  );
}
