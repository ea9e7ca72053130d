/** What adapters in JavaScript share: they speak with the runner, and listen. */

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { createInterface } = require('node:readline');
const callers = require('../../../test/conformance/cases/callers.json');

/** Finds the caller of a security scheme's credential in a request. */
exports.callerOf = ({ type, scheme = 'bearer', in: place, name = '' }, request) => {
  const { headers, query = {}, cookies = {} } = request;
  const keys = { header: headers[name.toLowerCase()], query: query[name], cookie: cookies[name] };
  if (type === 'apiKey') return callers[keys[place]];
  const [kind = '', credential = ''] = (headers.authorization ?? '').split(' ');
  if (kind.toLowerCase() !== scheme.toLowerCase()) return undefined;
  const isBasic = kind.toLowerCase() === 'basic';
  return callers[isBasic ? Buffer.from(credential, 'base64').toString() : credential];
};

/** Octets become base64. */
const encoded = (_name, value) =>
  value?.type === 'Buffer' ? Buffer.from(value.data).toString('base64') : value;

/**
 * Speaks with the runner.
 * @param serve makes the listener for a document's file, or throws; `respond(echo)` is what handlers return
 */
exports.run = (server, cannot, serve) => {
  const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  // What packages print must not be taken for a message.
  console.log = console.error;
  process.on('uncaughtException', console.error);
  const folder = mkdtempSync(join(tmpdir(), 'case-'));
  const file = join(folder, 'document.yaml');
  let reply = null;
  let served;
  const respond = (echo) =>
    reply ?? { status: 200, body: JSON.parse(JSON.stringify(echo, encoded)) };
  const listen = async (document) => {
    served?.closeAllConnections();
    served?.close();
    writeFileSync(file, document);
    served = createServer(await serve(file, respond));
    await new Promise((resolve) => served.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${served.address().port}` };
  };
  const take = (message) => {
    if ('document' in message)
      return listen(message.document).catch((error) => ({ refused: String(error) }));
    reply = message.reply;
    return { ready: true };
  };
  say({ server, cannot });
  let last = Promise.resolve();
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      last = last.then(async () => say(await take(JSON.parse(line))));
    })
    .on('close', () => {
      rmSync(folder, { recursive: true });
      process.exit();
    });
};
