import { basicEnvironment, OWN_VARIABLES } from "./environment.ts";
import { gitError } from "./errors.ts";

/**
 * Git's answer to a small question; empty where git says "none" by its status alone. An empty answer
 * takes simple-git 50 ms, any other 4.
 * @throws {EmitError} what `gitError` makes of git's words
 */
export async function ask(folder: string, args: readonly string[]): Promise<string> {
  // Takes 25 ms to load: only a run that looks into a repository pays for it.
  const { simpleGit } = await import("simple-git");
  const git = simpleGit({ baseDir: folder, allowEnvironment: OWN_VARIABLES });
  try {
    // A small environment, since simple-git throws on every name it finds risky (EDITOR, PAGER...).
    return await git.env(basicEnvironment()).raw([...args]);
  } catch (error) {
    throw gitError(folder, args[0] ?? "", error instanceof Error ? error.message : String(error));
  }
}
