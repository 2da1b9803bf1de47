/** One package as the lockfile has it. */
export interface Locked {
  readonly dev?: boolean
  readonly optional?: boolean
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly hasInstallScript?: boolean
}

/** The same as it lies in node_modules. */
export interface Installed {
  readonly license?: string
  /** How it was written long ago. */
  readonly licenses?: readonly { readonly type: string }[]
  readonly scripts?: Readonly<Record<string, string>>
}

/** Licences that ask for no more than to be named. */
const ALLOWED = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Python-2.0']
const AT_INSTALL = ['preinstall', 'install', 'postinstall']

/** Everything that speaks against shipping it, as sentences. */
export function mistakesOf(path: string, locked: Locked, installed: Installed | undefined): string[] {
  const mistakes: string[] = []
  const licence = locked.license ?? installed?.license ?? installed?.licenses?.[0]?.type
  if (licence === undefined || !ALLOWED.includes(licence))
    mistakes.push(`${path}: the licence ${licence ?? '(none)'} is not on the list`)
  if (!locked.integrity?.startsWith('sha512-')) mistakes.push(`${path}: no SHA-512 in the lockfile`)
  // Without it a package comes from whichever registry the user trusts, and the hash says whether it is the same one.
  if (locked.resolved !== undefined) mistakes.push(`${path}: it comes from ${locked.resolved}`)
  const script = AT_INSTALL.find((name) => installed?.scripts?.[name] !== undefined)
  if (locked.hasInstallScript === true || script !== undefined)
    mistakes.push(`${path}: it runs a script when it is installed`)
  if (installed === undefined && locked.optional !== true) mistakes.push(`${path}: it is not installed`)
  return mistakes
}
