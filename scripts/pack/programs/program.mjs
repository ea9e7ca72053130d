/** Uses the package as a module of ECMAScript. */

import { openApiRouter } from 'spec-first';
import { openApiPlugin } from 'spec-first/fastify';
import { openApiFetch } from 'spec-first/fetch';
import { testContract } from 'spec-first/test';
import { usePackage } from './use-package.cjs';

await usePackage({ openApiRouter, openApiFetch, openApiPlugin, testContract });
