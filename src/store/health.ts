/** Whether events can be recorded. */
export type Health = { readonly writable: true } | { readonly writable: false; readonly reason: string }
