/** The environment without what the npm that runs the tests tells its children. */
export function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^npm_|^NODE_OPTIONS|^CI$|^VITEST/i.test(name),
  );
  return Object.fromEntries(kept);
}
