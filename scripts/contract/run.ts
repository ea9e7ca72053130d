/** `npm run contract`: says what is wrong with OpenAPI documents, for people and for CI, and writes what a service begins with. */

import { runInProcess } from '../../src/tool/command/run-program';
import { runContract } from './run-contract';

void runInProcess((context) => runContract(process.argv.slice(2), context));
