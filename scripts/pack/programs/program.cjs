/** Uses the package as a CommonJS module. */

const began = performance.now();
const { openApiRouter } = require('spec-first');
const loaded = Math.round(performance.now() - began);
const { openApiFetch } = require('spec-first/fetch');
const { openApiPlugin } = require('spec-first/fastify');
const { testContract } = require('spec-first/test');
const { usePackage } = require('./use-package.cjs');

usePackage({ openApiRouter, openApiFetch, openApiPlugin, testContract }).then(() =>
  console.log(`loaded in ${loaded} ms`),
);
