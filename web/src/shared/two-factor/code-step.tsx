import { Button, TextInput } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'
import classes from './two-factor.module.css'

interface CodeStepProps {
  fault: string
  isBusy: boolean
  onSubmit: (code: string) => void
  onBack: () => void
  cancel: ReactNode
}

/** Step 2: a code proves that the app has the secret. Digits only, exactly six (accounts specification, section 5). */
export function CodeStep({ fault, isBusy, onSubmit, onBack, cancel }: CodeStepProps) {
  const [code, setCode] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit(code)
  }
  return (
    <form onSubmit={submit} noValidate className={classes.wizard}>
      <TextInput
        label="Verification code"
        description="The 6 digits your app shows now"
        className={classes.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        size="md"
        maxLength={6}
        placeholder="000000"
        value={code}
        error={fault}
        onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, ''))}
      />
      <div className={classes.actions}>
        {cancel}
        <div className={classes.actions}>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
          <Button type="submit" loading={isBusy} disabled={code.length !== 6}>
            Verify
          </Button>
        </div>
      </div>
    </form>
  )
}
