/**
 * Serves, reloads its documents many times, and prints how many of the applications that served once are still in memory, and by
 * how many bytes the heap has grown since the first. Run with `--expose-gc`: BUILD, then how often.
 */

const { join } = require('node:path');
const { setImmediate } = require('node:timers/promises');
const { get } = require('node:http');
const { once } = require('node:events');

const [, , build, rounds] = process.argv;
const { startServer } = require(join(build, 'src/server/server.js'));
const { readConfig } = require(join(build, 'src/server/config/config.js'));

const log = { error() {}, warn() {}, info() {}, isLevelEnabled: () => false, child: () => log };

const ask = async (url) => {
  const [answer] = await once(get(url, { headers: { api_key: 'special-key' } }), 'response');
  await answer.toArray();
};

const heapUsed = async () => {
  await setImmediate();
  global.gc();
  return process.memoryUsage().heapUsed;
};

const run = async () => {
  const config = readConfig({ ...process.env, HANDLERS_DIRECTORY: join(build, 'handlers') });
  const server = await startServer(config, { log });
  const past = [];
  let before = 0;
  for (let round = 0; round < Number(rounds); round += 1) {
    past.push(new WeakRef(server.app));
    for (const path of ['/petstore/pet/1', '/petstore/docs/', '/metrics', '/']) {
      await ask(server.address + path);
    }
    await server.reload();
    // The first ones fill caches of the process.
    if (round === 4) before = await heapUsed();
  }
  const grown = (await heapUsed()) - before;
  const kept = past.filter((app) => app.deref() !== undefined).length;
  process.stdout.write(JSON.stringify({ kept, grown }));
  await server.stop();
};

void run();
