/** Can events be recorded, and if not, why not. */
export type Health = { readonly writable: true } | { readonly writable: false; readonly reason: string }
