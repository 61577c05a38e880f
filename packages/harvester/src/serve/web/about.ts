import { PRODUCT, userAgent } from "@rs-emit/reader/http/user-agent";
import { Hono } from "hono";
import { html } from "hono/html";
import { type Html, page } from "./look/layout.ts";
import type { View, WebDependencies, WebEnv } from "./request-context.ts";

export function aboutRoutes({ settings }: Pick<WebDependencies, "settings">): Hono<WebEnv> {
  return new Hono<WebEnv>().get("/about", (context) =>
    context.html(aboutPage(context.get("view"), settings.contact)),
  );
}

function aboutPage(view: View, contact: string | undefined): Html {
  const { links } = view;
  return page(view, {
    title: "About",
    body: html`<h1>About</h1>
<p class="lead">Many sites are not blogs: shrines, galleries, gardens of notes. Their pages change in place, and
no feed reports it. This service makes such feeds.</p>
<h2>For followers</h2>
<p>Sites that publish a change log (<a href="https://www.openarchives.org/rs/1.1/resourcesync">ResourceSync</a>)
are read regularly, and every page that was created, updated or deleted becomes part of an Atom feed: one for
each collection of a site, one for each site, and <a href="${links.feed("all")}">one for everything</a>. Any feed
reader takes them. Other sites can be followed by their sitemaps, which is less exact; such entries are marked.
<a href="${links.home}">Follow a site.</a></p>
<h2>For authors</h2>
<p>To be followed, a site needs a Source Description at <code>/.well-known/resourcesync</code>, and Change Lists.
<a href="https://www.npmjs.com/package/rs-emit">rs-emit</a> writes them for any static site.</p>
<h2 id="owners">For owners of sites</h2>
<p>Sites are asked for one document at a time, and only for what has changed. The requests say:</p>
<pre><code>User-Agent: ${userAgent(contact)}</code></pre>
<p>If you do not want your site to be followed, say so in its <code>robots.txt</code>:</p>
<pre><code>User-agent: ${PRODUCT}
Disallow: /</code></pre>
${contact === undefined ? "" : html`<p>This service is run by <a href="${contact}">${contact.replace(/^mailto:/, "")}</a>.</p>`}`,
  });
}
