import { termsOf } from './terms.js'

/** Who fills which role: there is one of it, and who was it is no longer. */
export interface Role {
  /** In lower case. */
  readonly holder: string
  /** The stems of what says which role it is. */
  readonly stems: ReadonlySet<string>
  /** The clause begins with all that is said of it: `The manager is Kim`, `The manager of the warehouse is Lee`. */
  readonly leads: boolean
}

const HOLDER = String.raw`(?<holder>\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*)?)`
/** `The team lead is Priya`. */
const LEADING = new RegExp(`^(?:The|Our) (?<role>.{1,60}?) (?:is|are|is now) ${HOLDER}$`, 'u')
const FORMS = [
  /** `Anna is the owner of checkout`. */
  new RegExp(`^${HOLDER} (?:is|are|has been|became|becomes) (?:now )?the (?<role>.+)$`, 'u'),
  /** `Jonas took over as team lead from Priya`. */
  new RegExp(
    String.raw`^${HOLDER} (?:took over|takes over|(?:succeed|replace)(?:s|d|ed) \S+) as (?:the )?(?!an? )(?<role>.{1,80}?)(?: from .{1,60})?$`,
    'u',
  ),
  LEADING,
]

/** The role that a clause says who fills. */
export function roleIn(clause: string): Role | undefined {
  for (const form of FORMS) {
    const { holder, role } = form.exec(clause)?.groups ?? {}
    if (holder === undefined || role === undefined) continue
    // `The deadline is Friday` says when.
    if (termsOf(holder).some(({ kind }) => kind === 'value')) return undefined
    const terms = termsOf(role).filter(({ weight }) => weight > 0)
    if (!terms.some(({ kind, weight }) => kind !== 'value' && weight === 1)) return undefined
    const stems = new Set(terms.map(({ stem }) => stem))
    return { holder: holder.toLowerCase(), stems, leads: form === LEADING }
  }
  return undefined
}
