/** Certificates of a test's own, made by OpenSSL. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../scripts/machine/run-program';

/** A certificate and its private key, as files. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority for certificates. */
export interface Authority extends Certificate {
  /**
   * Makes a certificate for a day, or one that has expired.
   *
   * @param name - the common name, which is the user of a client
   * @param hosts - such as `DNS:localhost` or `IP:127.0.0.1`
   */
  issue(name: string, hosts: string, days?: number): Promise<Certificate>;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'] as const;

/** Makes an authority in a folder. */
export const makeAuthority = async (folder: string, authority: string): Promise<Authority> => {
  const fileOf = (name: string, type: string): string => join(folder, `${name}.${type}`);
  const own = { cert: fileOf(authority, 'crt'), key: fileOf(authority, 'key') };
  const subject = ['-subj', `/CN=${authority}`];
  const files = ['-keyout', own.key, '-out', own.cert];
  await run(['openssl', 'req', '-x509', ...newKey, ...subject, '-days', '2', ...files], folder);
  return {
    ...own,
    async issue(name, hosts, days = 1) {
      const [cert, key, request] = ['crt', 'key', 'csr'].map((type) => fileOf(name, type)) as [
        string,
        string,
        string,
      ];
      const extensions = fileOf(name, 'ext');
      await writeFile(extensions, `subjectAltName = ${hosts}\n`);
      const asked = ['-subj', `/CN=${name}`, '-keyout', key, '-out', request];
      await run(['openssl', 'req', ...newKey, ...asked], folder);
      const by = ['-CA', own.cert, '-CAkey', own.key, '-CAcreateserial'];
      const made = ['-in', request, '-out', cert, '-days', String(days), '-extfile', extensions];
      await run(['openssl', 'x509', '-req', ...by, ...made], folder);
      return { cert, key };
    },
  };
};
