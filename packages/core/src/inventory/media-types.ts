const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  htm: "text/html",
  xhtml: "application/xhtml+xml",
  css: "text/css",
  csv: "text/csv",
  js: "text/javascript",
  mjs: "text/javascript",
  md: "text/markdown",
  txt: "text/plain",
  atom: "application/atom+xml",
  rss: "application/rss+xml",
  xml: "application/xml",
  json: "application/json",
  webmanifest: "application/manifest+json",
  pdf: "application/pdf",
  epub: "application/epub+zip",
  zip: "application/zip",
  swf: "application/x-shockwave-flash",
  avif: "image/avif",
  bmp: "image/bmp",
  gif: "image/gif",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  webp: "image/webp",
  flac: "audio/flac",
  m4a: "audio/mp4",
  mid: "audio/midi",
  midi: "audio/midi",
  mp3: "audio/mpeg",
  oga: "audio/ogg",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  wav: "audio/wav",
  mp4: "video/mp4",
  ogv: "video/ogg",
  webm: "video/webm",
  otf: "font/otf",
  ttf: "font/ttf",
  woff: "font/woff",
  woff2: "font/woff2",
};

/** By the file's extension, without parameters. */
export function mediaType(file: string): string {
  const extension = file.slice(file.lastIndexOf(".") + 1).toLowerCase();
  return Object.hasOwn(TYPES, extension) ? (TYPES[extension] ?? UNKNOWN) : UNKNOWN;
}

const UNKNOWN = "application/octet-stream";
