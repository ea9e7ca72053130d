// Generated from specs/ads.yaml by npm run generate. Do not edit.

/** An advertisement for a property */
export interface Ad {
  /** The headline */
  title: string;
  /** Whether the property is for sale or for rent */
  propertyType: 'À la vente' | 'À la location';
  /** Whether the ad is published */
  publicationStatus: 'Publiée' | 'Non publiée';
  /** Whether the property can still be had */
  propertyStatus: 'Disponible' | 'Loué' | 'Vendu';
  /** What the property is like */
  description: string;
  /** The price or the monthly rent */
  price: number;
  /** When the property can be had (ISO 8601) */
  availabilityDate: string;
  /** Where photos of the property can be fetched */
  photos?: string[] | undefined;
  /** The name of the user who publishes the ad */
  userName: string;
  /** What users have asked */
  questions?: Question[] | undefined;
}

/** A question about the property */
export interface Question {
  /** Who asks */
  user?: string | undefined;
  /** What is asked */
  question?: string | undefined;
  /** What has been answered */
  answers?: Answer[] | undefined;
}

/** An answer to a question */
export interface Answer {
  /** What is answered */
  answer?: string | undefined;
  /** When it was answered */
  date?: string | undefined;
}

/**
 * A user of the service
 *
 * As requests carry it.
 */
export interface User {
  /** The name to log in with, a UsernameCasePreserved of PRECIS (RFC 8265); names that differ in case, width or composition alone are one */
  username: string;
  /** The password to log in with; taken, never answered */
  password: string;
  /** Whether the user is an estate agent */
  isAgent: boolean;
}

/**
 * A user of the service
 *
 * As responses carry it.
 */
export interface UserResponse {
  /** The name to log in with, a UsernameCasePreserved of PRECIS (RFC 8265); names that differ in case, width or composition alone are one */
  username: string;
  /** Whether the user is an estate agent */
  isAgent: boolean;
}

/** A word that pets can be found by; no operation uses it */
export interface Tag {
  /** Identifies the tag */
  id?: bigint | undefined;
  /** The word */
  name?: string | undefined;
}

/** What the service has to say about a request */
export interface ApiResponse {
  /** The HTTP status */
  code?: number | undefined;
  /** A stable name for the kind of answer */
  type?: string | undefined;
  /** One sentence for the reader */
  message?: string | undefined;
  /** Where the request does not fit the document; there only if it was not valid */
  errors?: Array<{
    /** The part of the request */
    in?: 'path' | 'query' | 'header' | 'cookie' | 'body' | undefined;
    /** The parameter's name, or the JSON Pointer (RFC 6901) into the body; empty for the whole */
    path?: string | undefined;
    /** What is wrong there */
    message?: string | undefined;
  }> | undefined;
}

/** A pet; no operation uses it */
export interface Pet {
  /** Identifies the pet */
  id?: bigint | undefined;
  /** What the pet is called */
  name: string;
  category?: unknown /* unresolved: #/components/schemas/Category */;
  /** Where images of the pet can be fetched */
  photoUrls: string[];
  /** What the pet can be found by */
  tags?: Tag[] | undefined;
  /** pet status in the store */
  status?: 'available' | 'pending' | 'sold' | undefined;
}

/** The component schemas as storage keeps them: every declared property. */
export interface Schemas {
  Ad: Ad;
  Question: Question;
  Answer: Answer;
  User: User & UserResponse;
  Tag: Tag;
  ApiResponse: ApiResponse;
  Pet: Pet;
}

/** Headers that a response may carry beyond the declared ones. */
export interface FurtherHeaders {
  [name: string]: string | number | readonly string[] | undefined;
}

/** The operations tagged `ad`. */
export interface AdOperations {
  /**
   * POST /ad
   *
   * Publish an ad for a property
   */
  addAd: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: Ad;
    principal: 'required';
    response: { status: 200; body: Ad; headers?: FurtherHeaders };
    failure: 405;
  };
}

/** The operations tagged `user`. */
export interface UserOperations {
  /**
   * POST /user
   *
   * Create a user
   */
  createUser: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: User;
    principal: 'required';
    response: { status: 200; body: UserResponse; headers?: FurtherHeaders };
    failure: 400 | 401 | 403 | 406 | 409 | 413 | 415 | 429 | 500 | 501 | 503;
  };
  /**
   * GET /user/login
   *
   * Log a user into the system
   */
  loginUser: {
    path: {};
    query: { username: string; password: string };
    header: {};
    cookie: {};
    body: undefined;
    principal: 'optional';
    response: {
      status: 200;
      body: string;
      headers?: {
        'X-Rate-Limit'?: number | undefined;
        'X-Expires-After'?: string | undefined;
        [name: string]: string | number | readonly string[] | undefined;
      };
    };
    failure: 400;
  };
  /**
   * GET /user/logout
   *
   * Log out the current user
   */
  logoutUser: {
    path: {};
    query: {};
    header: {};
    cookie: {};
    body: undefined;
    principal: 'optional';
    response: { status: 200; body?: undefined; headers?: FurtherHeaders };
    failure: 400 | 401 | 403 | 406 | 413 | 429 | 500 | 501 | 503;
  };
}

/** Every operation of the document. */
export interface Operations extends AdOperations, UserOperations {}
