import type { Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'

/** The stored legal hold of a recording or a case. */
export interface StoredHold {
  _id: Types.ObjectId
  reason: string
  /** The user who set it. */
  setBy: Types.ObjectId
  /** Whether an administrator set it: then only administrators can lift it. */
  isByAdmin: boolean
  setAt: Date
}

/** Records that a recording is held by the hold of a case. */
export interface StoredCaseHold {
  holdId: Types.ObjectId
  caseId: Types.ObjectId
}

export interface HoldRecord extends Omit<StoredHold, '_id' | 'setBy'> {
  id: string
  setBy: string
}

export function toHoldRecord({ _id, setBy, reason, isByAdmin, setAt }: StoredHold): HoldRecord {
  return { id: _id.toHexString(), setBy: setBy.toHexString(), reason, isByAdmin, setAt }
}

/**
 * Matches recordings that nothing holds. Every update that marks a recording as deleted includes it in the filter: of a simultaneous
 * hold and deletion, exactly one takes effect.
 */
export const notHeld = { hold: null, caseHolds: { $in: [null, []] } }

/** Matches recordings that their own hold, or that of a case, protects from deletion. */
export const heldRecording = { $or: [{ hold: { $ne: null } }, { caseHolds: { $nin: [null, []] } }] }

/** Returns whether a recording is on hold. */
export function isHeld({ hold, heldByCases }: { hold?: HoldRecord; heldByCases?: string[] }): boolean {
  return hold !== undefined || heldByCases !== undefined
}

/** Returns the error for a deletion in a recording on hold. */
export function recordingHeldError(): AppError {
  return new AppError('on_hold', 'This recording is on legal hold: nothing of it can be deleted', {
    help: 'The recording shows who set the hold. Ask them, or an administrator, to lift it.',
  })
}

/** Returns the error for a deletion in a case on hold. */
export function caseHeldError(): AppError {
  return new AppError('on_hold', 'This case is on legal hold: nothing of it can be deleted', {
    help: 'The case shows who set the hold. Ask them, or an administrator, to lift it.',
  })
}
