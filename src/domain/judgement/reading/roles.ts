import { termsOf } from './terms.js'

/** Who fills which role: there is one of it, and who was it is no longer. */
export interface Role {
  /** In lower case. */
  readonly holder: string
  /** The stems of what says which role it is. */
  readonly stems: ReadonlySet<string>
}

const HOLDER = String.raw`(?<holder>\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*)?)`
const FORMS = [
  /** `Anna is the owner of checkout`. */
  `^${HOLDER} (?:is|are|has been|became|becomes) (?:now )?the (?<role>.+)$`,
  /** `Jonas took over as team lead from Priya`. */
  String.raw`^${HOLDER} (?:took over|takes over|was elected|was appointed|(?:succeed|replace)(?:s|d|ed) \S+) as (?:the )?(?<role>.+?)(?: from .*)?$`,
  /** `The team lead is Priya`. */
  `^(?:The|Our) (?<role>.{1,60}?) (?:is|are|is now) ${HOLDER}$`,
].map((form) => new RegExp(form, 'u'))

/** The role that a clause says who fills. */
export function roleIn(clause: string): Role | undefined {
  for (const form of FORMS) {
    const { holder, role } = form.exec(clause)?.groups ?? {}
    if (holder === undefined || role === undefined) continue
    const terms = termsOf(role).filter(({ kind }) => kind === 'word' || kind === 'name')
    if (!terms.some(({ weight }) => weight === 1)) return undefined
    return { holder: holder.toLowerCase(), stems: new Set(terms.map(({ stem }) => stem)) }
  }
  return undefined
}
