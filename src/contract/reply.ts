/** The replies of handlers, e.g. `return ok({ contexts, ...envelope(found) })`. */

export function ok<Body>(body: Body): { readonly status: 200; readonly body: Body } {
  return { status: 200, body }
}

export function created<Body>(body: Body): { readonly status: 201; readonly body: Body } {
  return { status: 201, body }
}

export function noContent(): { readonly status: 204; readonly body: undefined } {
  return { status: 204, body: undefined }
}
