import { gzipSync } from "node:zlib";
import { at, capabilityList, change, changeList, DESCRIPTION, NAMESPACES } from "../documents.ts";
import { A, B, C, form, LOG, once, PLAIN, site, UNDATED } from "./site.ts";

export function forms(): void {
  const utf16 = PLAIN.replace("UTF-8", "UTF-16");
  form(
    "utf-16",
    "XML in UTF-16 with a byte order mark.",
    "I44",
    Buffer.from(`\ufeff${utf16}`, "utf16le"),
  );
  form("byte-order-mark", "XML in UTF-8 with a byte order mark.", "I44", `\ufeff${PLAIN}`);
  form(
    "iso-8859-1",
    "XML in ISO 8859-1, with a letter that is no UTF-8.",
    "I44",
    Buffer.from(
      PLAIN.replace("UTF-8", "ISO-8859-1").replace("<urlset", "<!-- Übersicht -->\n<urlset"),
      "latin1",
    ),
  );
  form("no-declaration", "XML without a declaration is UTF-8.", "I44", PLAIN.replace(/^.*\n/, ""));
  const prefixed = PLAIN.replaceAll(/<(\/?)(urlset|url|loc)\b/g, "<$1sm:$2").replace(
    "xmlns=",
    "xmlns:sm=",
  );
  form("sitemap-prefix", "The elements of sitemaps have a prefix.", "I44", prefixed);
  form(
    "another-prefix",
    "The elements of ResourceSync have another prefix.",
    "I44",
    PLAIN.replaceAll("rs:", "sync:").replace("xmlns:rs", "xmlns:sync"),
  );
  const terms = ' xmlns:rs="http://www.openarchives.org/rs/terms/"';
  form(
    "inner-namespaces",
    "The namespace is declared where it is used.",
    "I44",
    PLAIN.replace(terms, "")
      .replaceAll("<rs:md", `<rs:md${terms}`)
      .replaceAll("<rs:ln", `<rs:ln${terms}`),
  );
  const images = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';
  once(
    "foreign-elements",
    "Elements of other namespaces are left alone; a loc of theirs is none of ours.",
    "I44 R102",
    site([], {
      "/changelist.xml": changeList([
        {
          ...change(A),
          more: `<image:image><image:loc>${at("/picture.png")}</image:loc></image:image>`,
        },
      ]).replace(NAMESPACES, `${NAMESPACES} ${images}`),
    }),
    [A],
    ["/picture.png"],
  );
  once(
    "foreign-attributes",
    "Attributes of other namespaces, and changefreq and priority, change nothing.",
    "I44 I47",
    site([], {
      "/changelist.xml": changeList([
        {
          ...change(A, { "x:change": "deleted" }),
          more: "<changefreq>daily</changefreq><priority>0.3</priority>",
        },
        UNDATED,
      ]).replace(NAMESPACES, `${NAMESPACES} xmlns:x="https://example.org/x"`),
    }),
    [A],
    ["/undated.html"],
  );
  once(
    "another-namespace-called-rs",
    "An element is known by its namespace. What is called rs:md in another one says nothing.",
    "I47 N1",
    site([], {
      "/changelist.xml": changeList([
        A,
        {
          loc: "/fake.html",
          more: '<rs:md xmlns:rs="https://example.org/fake" change="updated" datetime="2026-10-13T08:00:00Z"/>',
        },
      ]),
    }),
    [A],
    ["/fake.html"],
  );
  form(
    "comments-and-sections",
    "Comments, CDATA sections and white space around loc.",
    "I44",
    PLAIN.replaceAll(
      /<loc>(.*?)<\/loc>/g,
      "<loc>\n      <![CDATA[$1]]>\n    </loc><!-- a page -->",
    ),
  );
  form(
    "processing-instruction",
    "A stylesheet is named before the root.",
    "I44",
    PLAIN.replace("<urlset", '<?xml-stylesheet type="text/css" href="/list.css"?>\n<urlset'),
  );
  const swapped = PLAIN.replaceAll(/( {4}<loc>.*<\/loc>\n)( {4}<rs:md.*\/>\n)/g, "$2$1");
  form("metadata-before-loc", "rs:md stands before loc.", "I44", swapped);
  once(
    "gzip-file",
    "The Change List is a file that is compressed with gzip.",
    "T19a",
    site([C], {
      "/capabilitylist.xml": capabilityList("/", { changelist: "/changelist.xml.gz" }),
      "/changelist.xml.gz": gzipSync(changeList([A, B]), { level: 9 }),
    }),
    [A, B],
    ["/c.html"],
  );
  once(
    "content-encoding",
    "The Change List comes with Content-Encoding: gzip.",
    "T19a",
    site([], { "/zipped": gzipSync(PLAIN, { level: 9 }) }),
    LOG,
    ["/undated.html"],
    {
      answers: { "/changelist.xml": { file: "/zipped", headers: { "content-encoding": "gzip" } } },
    },
  );
  once(
    "content-types",
    "Documents are known by their content, whatever their Content-Type.",
    "R31 I32",
    site([...LOG, UNDATED]),
    LOG,
    ["/undated.html"],
    {
      answers: {
        [DESCRIPTION]: { headers: { "content-type": "application/octet-stream" } },
        "/capabilitylist.xml": { headers: { "content-type": "text/plain" } },
        "/changelist.xml": { headers: { "content-type": "text/html" } },
      },
    },
  );
}
