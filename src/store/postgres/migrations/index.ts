import type { Session } from '../connection/session.js'
import { graphs } from './001-graphs.js'
import { claims } from './002-claims.js'
import { vectors } from './003-vectors.js'
import { keySources } from './004-key-sources.js'
import { streams } from './005-streams.js'
import { statements } from './006-statements.js'
import { erasure } from './007-erasure.js'
import { survey } from './008-survey.js'
import { history } from './009-history.js'
import { totals } from './010-totals.js'
import { keyMakers } from './011-key-makers.js'

/** Statements, or work of which statements are only a part. */
export type Migration = string | ((session: Session) => Promise<void>)

/** In order; the number of each is its place, from 1. One that has shipped is never changed: a new one is added. */
export const MIGRATIONS: readonly Migration[] = [
  graphs,
  claims,
  vectors,
  keySources,
  streams,
  statements,
  erasure,
  survey,
  history,
  totals,
  keyMakers,
]
