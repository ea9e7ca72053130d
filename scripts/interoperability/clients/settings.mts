/** What a client is told of the server that it talks to: JSON in its first argument. */

export interface Settings {
  readonly origin: string;
  /** Access tokens with all scopes, by service. */
  readonly tokens: { readonly petstore: string; readonly ads: string };
  readonly apiKey: string;
  /** The program `spec-first mcp` with the pet store, and the folder that it runs in. */
  readonly command: readonly string[];
  readonly root: string;
}

export const settings = (): Settings => JSON.parse(process.argv[2] ?? '{}');

/** The login of the demo data. */
export const demo = { username: 'demo', password: 'demo-password' };

/** An ad as it is published, and answered. */
export const ad = {
  title: 'Maison de ville',
  propertyType: 'À la location',
  publicationStatus: 'Publiée',
  propertyStatus: 'Disponible',
  description: 'Quatre chambres',
  price: 1450.5,
  availabilityDate: '2030-06-15T10:00:00Z',
  userName: 'demo',
} as const;
