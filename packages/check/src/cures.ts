/** How to make a host serve the folder `.well-known`; docs/deploy says more. */
const DOT_FOLDERS: readonly { readonly host: RegExp; readonly cure: string }[] = [
  {
    host: /\.neocities\.org$|^neocities$/,
    cure:
      "Upload with: npx rs-emit neocities. (The action deploy-to-neocities leaves files without extension " +
      "out and deletes them when it cleans up.)",
  },
  {
    host: /\.github\.io$|^github\.com$/,
    cure:
      "Where actions/upload-pages-artifact uploads, give it include-hidden-files: true. Where a branch " +
      "is served, put an empty file named .nojekyll into it.",
  },
  {
    host: /\.netlify\.app$|^netlify/,
    cure: "Deploy the folder itself, with its dot folders, instead of a list of files.",
  },
  {
    host: /\.codeberg\.page$/,
    cure: "Commit the dot folder too: git add --force .well-known",
  },
];

const ANY_HOST =
  "Upload the folder .well-known too: with rsync give the folder with a slash at its end; in a file " +
  "manager show hidden files; in an artifact include hidden files.";

/** The cure where a program on the way changed line ends or added a byte order mark. */
export const REWRITTEN_CURE =
  "Let nothing change the files: FTP in binary mode; with git, the line * -text in .gitattributes. Then upload again.";

/** The cure where the host refuses the dot folder, as many refuse every name that begins with a dot. */
export const REFUSED_CURE =
  "Let the host serve .well-known: in nginx, location ^~ /.well-known/ { } before the rule that refuses dot " +
  'files; in Apache, a rule that leaves it out, such as RedirectMatch 404 "/\\.(?!well-known/)".';

/** The cure where `.well-known/resourcesync` is missing. `server` is the header `Server`. */
export function dotFolderCure(isLive: boolean, url: string, server = ""): string {
  if (!isLive) return "Run rs-emit again: it writes the missing document.";
  const { hostname } = new URL(url);
  const names = [hostname, server.toLowerCase()];
  return DOT_FOLDERS.find(({ host }) => names.some((name) => host.test(name)))?.cure ?? ANY_HOST;
}
