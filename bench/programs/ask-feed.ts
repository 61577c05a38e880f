import { Agent, get } from "node:http";

/** So many clients ask for a feed, each again as soon as it is answered. Prints a line when all have begun. */
const [, , url = "", clients = "50"] = process.argv;

const agent = new Agent({ keepAlive: true, maxSockets: Number(clients) });

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { "accept-encoding": "gzip" } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`));
      answer.resume().on("end", resolve).on("error", reject);
    }).on("error", reject);
  });
}

async function client(): Promise<never> {
  for (;;) await ask();
}

const all = Array.from({ length: Number(clients) }, client);
await ask();
console.log("asking");
await Promise.all(all);
