import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "./repository.ts";

/** Runs something with environment variables set; undefined unsets one. All are restored after. */
export async function withEnvironment<Result>(
  variables: Readonly<Record<string, string | undefined>>,
  run: () => Promise<Result>,
): Promise<Result> {
  const before = { ...process.env };
  assign(variables);
  try {
    return await run();
  } finally {
    assign(Object.fromEntries(Object.keys(variables).map((name) => [name, before[name]])));
  }
}

/** Runs something as a user whose `.gitconfig` says this. */
export async function withGitConfig<Result>(
  config: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const home = temporaryFolder();
  writeFileSync(join(home, ".gitconfig"), config);
  try {
    return await withEnvironment({ HOME: home, XDG_CONFIG_HOME: undefined }, run);
  } finally {
    removeFolder(home);
  }
}

function assign(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
