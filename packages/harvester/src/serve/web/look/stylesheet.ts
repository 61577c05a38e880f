import { createHash } from "node:crypto";

/** How pages look: like a well-set book, at any width, by day and by night. */
export const STYLESHEET = `:root {
  color-scheme: light dark;
  --paper: #fbf8f1;
  --leaf: #fffdf8;
  --ink: #2b2a25;
  --faint: #676353;
  --rule: #ded7c6;
  --edge: #8d8672;
  --link: #2f6236;
  --link-rule: #a9c4a3;
  --good: #2f6236;
  --bad: #96301f;
  --bad-leaf: #faece6;
  --note-leaf: #f3efe0;
}

@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1a1b17;
    --leaf: #23241f;
    --ink: #e8e4d8;
    --faint: #aba693;
    --rule: #3b3c33;
    --edge: #7f7b6a;
    --link: #a5cc99;
    --link-rule: #4c6647;
    --good: #a5cc99;
    --bad: #f0a48f;
    --bad-leaf: #35231e;
    --note-leaf: #2a2a22;
  }
}

* { box-sizing: border-box; }

html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }

body {
  margin: 0 auto;
  max-width: 44rem;
  padding: 0 1.25rem;
  background: var(--paper);
  color: var(--ink);
  font: 1.0625rem/1.6 "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", P052, "Book Antiqua", Georgia, serif;
  overflow-wrap: anywhere;
}

a {
  color: var(--link);
  text-decoration: underline;
  text-decoration-color: var(--link-rule);
  text-decoration-thickness: 1px;
  text-underline-offset: 0.2em;
}

a:hover { text-decoration-color: currentColor; }

:focus-visible {
  outline: 3px solid var(--link);
  outline-offset: 2px;
  border-radius: 2px;
}

main:focus { outline: none; }

.skip {
  position: absolute;
  left: -100rem;
  padding: 0.5rem 1rem;
  background: var(--leaf);
}

.skip:focus { left: 1rem; top: 0.5rem; }

h1, h2, h3 { font-weight: 600; line-height: 1.25; text-wrap: balance; }
h1 { margin: 2.5rem 0 0.75rem; font-size: 2rem; letter-spacing: -0.01em; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.3rem; }
h3 { margin: 0; font-size: 1.1rem; }
p { margin: 0 0 0.9rem; }
ul, ol, dl, dd { margin: 0; padding: 0; }
ul[role="list"], ol[role="list"] { list-style: none; }

.top { border-bottom: 1px solid var(--rule); }

.top nav {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: 0 1.5rem;
  padding: 0.9rem 0 0.8rem;
}

.top ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; list-style: none; }
.top a { text-decoration: none; padding: 0.25rem 0; }
.top a:hover { text-decoration: underline; }
.top .name { color: inherit; font-style: italic; font-size: 1.2rem; }
.top .name::before { content: "\\2767\\A0"; color: var(--link); font-style: normal; }

footer {
  margin-top: 4rem;
  padding: 1.25rem 0 2rem;
  border-top: 1px solid var(--rule);
  color: var(--faint);
  font-size: 0.95rem;
}

.lead { font-size: 1.1rem; }
.hint, .when, .host, .empty, .rest { color: var(--faint); }
.hint, .when, .host { font-size: 0.95rem; }
.hint { margin: 0.35rem 0 0; }
.empty { font-style: italic; }

form.follow {
  margin: 1.25rem 0;
  padding: 1.1rem 1.25rem 1.15rem;
  background: var(--leaf);
  border: 1px solid var(--rule);
  border-radius: 6px;
}

form.brief { display: flex; align-items: center; gap: 0.6rem; margin: 1rem 0 0; }
form.brief label { margin: 0; font-weight: 400; white-space: nowrap; }
form.brief input { flex: 1 1 6rem; min-height: 0; padding: 0.3rem 0.6rem; }
form.brief button { padding: 0.3rem 0.9rem; }
form.brief + section h1 { margin-top: 1.5rem; }

label { display: block; margin-bottom: 0.35rem; font-weight: 600; }
.field { display: flex; flex-wrap: wrap; gap: 0.6rem; }

input, select, textarea {
  flex: 1 1 14rem;
  min-width: 0;
  min-height: 2.9rem;
  padding: 0.55rem 0.75rem;
  font: inherit;
  color: inherit;
  background: var(--paper);
  border: 1px solid var(--edge);
  border-radius: 4px;
}

.choice { margin-bottom: 1rem; font-weight: 400; }
.choice input { min-height: 0; margin: 0 0.4rem 0 0; accent-color: var(--edge); }
textarea, input[type="file"] { display: block; width: 100%; margin-bottom: 1rem; }
input[type="file"] { padding: 0.45rem 0.5rem; }

input::file-selector-button {
  margin-right: 0.8rem;
  padding: 0.3rem 0.9rem;
  font: inherit;
  color: var(--link);
  background: none;
  border: 1px solid var(--edge);
  border-radius: 4px;
  cursor: pointer;
}

textarea { resize: vertical; font-size: 0.95rem; line-height: 1.45; }
.filter { margin: 0 0 1rem; }
.filter .field { align-items: end; }
.filter p { flex: 1 1 12rem; min-width: 0; margin: 0; }
.filter input, .filter select { width: 100%; }

input::placeholder { color: var(--faint); opacity: 1; }
[aria-invalid] { border-color: var(--bad); }

button, .button {
  display: inline-block;
  padding: 0.55rem 1.2rem;
  font: inherit;
  color: var(--paper);
  background: var(--link);
  border: 1px solid var(--link);
  border-radius: 4px;
  text-decoration: none;
  cursor: pointer;
}

button:hover, .button:hover { filter: brightness(1.1); }
.button, .actions button:not(.danger), .hosts button { color: var(--link); background: none; border-color: var(--edge); }
button.danger { background: var(--bad); border-color: var(--bad); }

button.plain {
  padding: 0.25rem 0;
  color: var(--link);
  background: none;
  border: 0;
}

.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 3rem; }
form.actions { margin-top: 1.5rem; }
.settings { margin-top: 1.5rem; }
.settings label { margin-top: 1rem; font-weight: 400; }
.settings input, .settings select { display: block; width: 100%; }
.settings textarea { margin: 0; }
.settings button { margin-top: 1rem; }

.notice {
  margin: 1.25rem 0;
  padding: 0.9rem 1.1rem;
  background: var(--note-leaf);
  border-left: 4px solid var(--edge);
  border-radius: 0 4px 4px 0;
}

.notice h2 { margin: 0 0 0.35rem; font-size: 1.05rem; }
.notice p:last-child { margin: 0; }
.notice ul { margin: 0 0 0.75rem; padding-left: 1.25rem; }
.notice.trouble { background: var(--bad-leaf); border-color: var(--bad); }

.line { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1.5rem; }
p.feeds, nav.feeds { display: flex; flex-wrap: wrap; gap: 0.15rem 1.25rem; margin: 0.9rem 0; }
ul.feeds { display: flex; flex-wrap: wrap; gap: 0.15rem 1.25rem; font-size: 0.95rem; }

.feed::before {
  content: "";
  display: inline-block;
  width: 0.62em;
  height: 0.62em;
  margin-right: 0.4em;
  border: solid currentColor;
  border-width: 0.14em 0.14em 0 0;
  border-radius: 0 0.62em 0 0;
  background: radial-gradient(circle at 22% 78%, currentColor 0.13em, transparent 0.15em);
}

.labels { margin: 0 0 0.7rem; }
.labels ul { display: flex; flex-wrap: wrap; gap: 0.15rem 1.1rem; list-style: none; font-size: 0.95rem; }
.labels [aria-current] { color: inherit; font-weight: 600; text-decoration: none; }

.entries > li { padding: 1.15rem 0 1rem; border-top: 1px solid var(--rule); }
.entries > li:first-child { border-top: 0; padding-top: 0.4rem; }
.entries header, .sources header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1rem; }
.entries .when { margin: 0; }
.pages { margin-top: 0.35rem; list-style: none; }
.pages li { padding: 0.1rem 0 0.1rem 5.25rem; }
.kind { float: left; width: 4.75rem; margin-left: -5.25rem; font-style: italic; color: var(--faint); }
.kind.new { color: var(--good); }
.kind.deleted { color: var(--bad); }
.new-words { display: block; color: var(--faint); }
.words { display: block; color: var(--faint); }
.words::before { content: "\\201C"; }
.words::after { content: "\\201D"; }

.day > h2 { margin: 1.75rem 0 0; padding-bottom: 0.3rem; font-size: 1rem; font-weight: 400; font-style: italic; color: var(--faint); border-bottom: 1px solid var(--rule); }
.sites > li { padding: 1.1rem 0 0.9rem; border-top: 1px solid var(--rule); }
.sites > li:first-child { border-top: 0; }
.sites header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1rem; }
.sites .host, .entry .when { margin: 0; }
.entry + .entry { margin-top: 0.7rem; }
.sites p.rest { margin: 0.7rem 0 0; }

.checks { margin-top: 2.5rem; }
summary { cursor: pointer; font-weight: 600; }
.table { overflow-x: auto; margin-top: 0.6rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.95rem; }
th, td { padding: 0.35rem 1rem 0.35rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--rule); }
thead th { border-top: 0; font-weight: 400; color: var(--faint); }
td:first-child { width: 1%; white-space: nowrap; color: var(--faint); }
.quiet td { color: var(--faint); font-style: italic; }
.failed { color: var(--bad); }

.sources > li { padding: 0.45rem 0 0.4rem; border-top: 1px solid var(--rule); }
.sources header { flex-wrap: nowrap; }
.sources h2 { min-width: 0; margin: 0; font-size: 1.0625rem; }
.sources .mark { flex: none; }
.about { display: flex; flex-wrap: wrap; gap: 0 1.1rem; font-size: 0.95rem; color: var(--faint); }
.about p { margin: 0; }
.about .why { color: var(--bad); }

.states { display: flex; flex-wrap: wrap; gap: 0.35rem 1.1rem; margin: 0 0 0.5rem; font-size: 0.95rem; }
.states a { display: inline-block; padding: 0.1rem 0; text-decoration: none; }
.states a:hover { text-decoration: underline; }
.states [aria-current] { font-weight: 600; text-decoration: underline; text-decoration-color: currentColor; }
.states .mark { color: inherit; }
.looked { margin: 0 0 1.25rem; }

.mark {
  display: inline-block;
  padding: 0 0.65em;
  font-size: 0.9rem;
  border: 1px solid var(--edge);
  border-radius: 1em;
  white-space: nowrap;
}

.mark::before { content: "\\25CF\\A0"; color: var(--faint); }
.mark.well::before { color: var(--good); }
.mark.not-read::before { content: "\\25CB\\A0"; color: var(--bad); }
.mark.troubled::before, .mark.gone::before, .mark.blocked::before { color: var(--bad); }
.health .mark { margin-right: 0.4rem; }

@media (prefers-reduced-motion: no-preference) {
  .mark.waiting::before { animation: breathe 1.6s ease-in-out infinite alternate; }
  @keyframes breathe { to { opacity: 0.2; } }
}

.site { margin: -0.4rem 0 0.9rem; }
.fates { margin-bottom: 1rem; padding-left: 1.25rem; }
.addresses dt { margin-top: 1rem; font-weight: 600; }
.address, code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: 0.88em; }
.address { word-break: break-all; }
.summary { color: var(--faint); }

.hosts li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; padding: 0.5rem 0; border-top: 1px solid var(--rule); }
.hosts button { padding: 0.2rem 0.8rem; }

.pager { display: flex; justify-content: space-between; gap: 1rem; margin-top: 1rem; padding: 1rem 0; border-top: 1px solid var(--rule); }

pre { margin: 0 0 1rem; padding: 0.8rem 1rem; background: var(--leaf); border: 1px solid var(--rule); border-radius: 4px; white-space: pre-wrap; }

@media (max-width: 30rem) {
  h1 { margin-top: 1.75rem; font-size: 1.7rem; }
  .follow button { flex: 1 1 100%; }
  .pages li { padding-left: 0; }
  .kind { float: none; width: auto; margin: 0 0.35rem 0 0; }
}
`;

/** Its name: another one as soon as it says anything else. */
export const STYLESHEET_NAME = `style-${createHash("sha256").update(STYLESHEET).digest("hex").slice(0, 12)}.css`;

/** A leaf. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path d="M27 5C13 4 6 10 6 18c0 3 1 5 2 7C11 17 16 13 22 11c-6 4-10 9-12 16l-1 1c8 1 18-4 18-23z" fill="#4b7a4a"/>
</svg>
`;
