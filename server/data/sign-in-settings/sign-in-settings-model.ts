import { Schema, type Connection } from 'mongoose'
import type { SignInSettings } from '#contract/sign-in-settings.ts'
import { modelOf } from '../model.ts'

/** One document: the settings that a super admin changed. What is missing has its default. */
export type SignInSettingsDocument = { _id: 'settings' } & Partial<SignInSettings>

const schema = new Schema<SignInSettingsDocument>(
  {
    _id: { type: String, required: true },
    registration: { type: String },
    registration_domains: { type: [String], default: undefined },
    two_factor_policy: { type: String },
    two_factor_grace_days: { type: Number },
    session_idle_hours: { type: Number },
    session_hours: { type: Number },
    remembered_idle_days: { type: Number },
    remembered_days: { type: Number },
  },
  { versionKey: false },
)

export function signInSettingsModel(connection: Connection) {
  return modelOf<SignInSettingsDocument>(connection, 'SignInSettings', schema, 'sign_in_settings')
}
