import { devNull } from "node:os";

/** What git is told, whatever our own environment says. */
const FIXED = {
  // Some answers can only be known by git's words.
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // A folder mounted from another file system is still in the repository around it.
  GIT_DISCOVERY_ACROSS_FILESYSTEM: "1",
  // Output in full buffers, not a write for each commit, which makes the pass half as long again.
  GIT_FLUSH: "0",
  // Replaced and grafted commits are one clone's own view of history.
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_GRAFT_FILE: devNull,
};

/** Where programs and a user's own configuration are found, and who asks. */
const BASIC =
  "PATH HOME XDG_CONFIG_HOME USERPROFILE HOMEDRIVE HOMEPATH APPDATA PROGRAMDATA SYSTEMROOT SUDO_UID";

/** The names of the variables of git that we set ourselves. */
export const OWN_VARIABLES: readonly string[] = Object.keys(FIXED);

/** Our environment for git, without the `GIT_*` that could lead it to another repository. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  return { ...Object.fromEntries(inherited), ...FIXED };
}

/** The little that a question to git needs. */
export function basicEnvironment(): Record<string, string> {
  const environment: Record<string, string> = { ...FIXED };
  for (const name of BASIC.split(" ")) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
