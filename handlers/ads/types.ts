// Generated from specs/ads.yaml by npm run generate. Do not edit.

/** An advertisement for a property */
export interface Ad {
  /** The headline */
  readonly title: string;
  /** Whether the property is for sale or for rent */
  readonly propertyType: 'À la vente' | 'À la location';
  /** Whether the ad is published */
  readonly publicationStatus: 'Publiée' | 'Non publiée';
  /** Whether the property can still be had */
  readonly propertyStatus: 'Disponible' | 'Loué' | 'Vendu';
  /** What the property is like */
  readonly description: string;
  /** The price or the monthly rent */
  readonly price: number;
  /** When the property can be had (ISO 8601) */
  readonly availabilityDate: string;
  /** Where photos of the property can be fetched */
  readonly photos?: readonly string[] | undefined;
  /** The name of the user who publishes the ad */
  readonly userName: string;
  /** What users have asked */
  readonly questions?: readonly Question[] | undefined;
}

/** A question about the property */
export interface Question {
  /** Who asks */
  readonly user?: string | undefined;
  /** What is asked */
  readonly question?: string | undefined;
  /** What has been answered */
  readonly answers?: readonly Answer[] | undefined;
}

/** An answer to a question */
export interface Answer {
  /** What is answered */
  readonly answer?: string | undefined;
  /** When it was answered */
  readonly date?: string | undefined;
}

/**
 * A user of the service
 *
 * As requests carry it.
 */
export interface User {
  /** The name to log in with, a UsernameCasePreserved of PRECIS (RFC 8265); names that differ in case, width or composition alone are one */
  readonly username: string;
  /** The password to log in with; taken, never answered */
  readonly password: string;
  /** Whether the user is an estate agent */
  readonly isAgent: boolean;
}

/**
 * A user of the service
 *
 * As responses carry it.
 */
export interface UserResponse {
  /** The name to log in with, a UsernameCasePreserved of PRECIS (RFC 8265); names that differ in case, width or composition alone are one */
  readonly username: string;
  /** Whether the user is an estate agent */
  readonly isAgent: boolean;
}

/** A word that pets can be found by; no operation uses it */
export interface Tag {
  /** Identifies the tag */
  readonly id?: bigint | undefined;
  /** The word */
  readonly name?: string | undefined;
}

/** What the service has to say about a request */
export interface ApiResponse {
  /** The HTTP status */
  readonly code?: number | undefined;
  /** A stable name for the kind of answer */
  readonly type?: string | undefined;
  /** One sentence for the reader */
  readonly message?: string | undefined;
  /** Where the request does not fit the document; there only if it was not valid */
  readonly errors?: ReadonlyArray<{
    /** The part of the request */
    readonly in?: 'path' | 'query' | 'header' | 'cookie' | 'body' | undefined;
    /** The parameter's name, or the JSON Pointer (RFC 6901) into the body; empty for the whole */
    readonly path?: string | undefined;
    /** What is wrong there */
    readonly message?: string | undefined;
  }> | undefined;
}

/** A pet; no operation uses it */
export interface Pet {
  /** Identifies the pet */
  readonly id?: bigint | undefined;
  /** What the pet is called */
  readonly name: string;
  readonly category?: unknown /* unresolved: #/components/schemas/Category */;
  /** Where images of the pet can be fetched */
  readonly photoUrls: readonly string[];
  /** What the pet can be found by */
  readonly tags?: readonly Tag[] | undefined;
  /** pet status in the store */
  readonly status?: 'available' | 'pending' | 'sold' | undefined;
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

/** The operations tagged `ad`. */
export interface AdOperations {
  /**
   * POST /ad
   *
   * Publish an ad for a property
   */
  addAd: {
    body: Ad;
    principal: 'required';
    response: { status: 200; body: Ad } | { status: 405 | 'default'; body: ApiResponse };
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
    body: User;
    principal: 'required';
    response:
      | {
          status: 400 | 401 | 403 | 406 | 409 | 413 | 415 | 429 | 500 | 501 | 503;
          body: ApiResponse;
        }
      | { status: 'default'; body: UserResponse };
  };
  /**
   * GET /user/login
   *
   * Log a user into the system
   */
  loginUser: {
    query: { username: string; password: string };
    response:
      | {
          status: 200;
          body: string;
          headers?: { 'X-Rate-Limit'?: number | undefined; 'X-Expires-After'?: string | undefined };
        }
      | { status: 400 | 'default'; body: ApiResponse };
  };
  /**
   * GET /user/logout
   *
   * Log out the current user
   */
  logoutUser: {
    response:
      | {
          status: 400 | 401 | 403 | 406 | 413 | 429 | 500 | 501 | 503;
          body: ApiResponse;
        }
      | { status: 'default' };
  };
}

/** Every operation of the document. */
export interface Operations extends AdOperations, UserOperations {}
