export async function main(_args: readonly string[]): Promise<number> { return 0; }
