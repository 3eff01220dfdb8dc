/** An error with a sentence for people, as that of the server's client. */
export class Problem extends Error {
  constructor(document) {
    super(document.detail);
    this.status = document.status;
    this.kind = (document.type || "").replace("urn:noughts:", "");
    this.field = document.field || null;
  }
}

/** Return the problem of a request that cannot be done. */
export const refusal = (kind, status, detail) =>
  new Problem({ type: `urn:noughts:${kind}`, status, detail });
