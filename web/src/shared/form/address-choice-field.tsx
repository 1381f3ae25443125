import { Radio, Stack } from '@mantine/core'
import { KeptAddress } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'

interface KeptAddressFieldProps {
  label?: string
  description?: string
  former: string
  present: string
  /** Description of each address. */
  says?: Record<KeptAddress, string>
  value: KeptAddress
  onChange: (address: KeptAddress) => void
}

/** Chooses the e-mail address that an account keeps once its library is open: anyone who reads mail there can reset the password. */
export function AddressChoiceField({
  label = t('Which address does the account keep?'),
  description = t('Whoever reads the mail of this address can reset the password.'),
  says = { former: t('The address before the change'), present: t('The present address') },
  former,
  present,
  value,
  onChange,
}: KeptAddressFieldProps) {
  const addresses = { former, present }
  return (
    <Radio.Group
      label={label}
      description={description}
      value={value}
      onChange={(chosen) => onChange(KeptAddress.parse(chosen))}
    >
      <Stack gap="xs" mt="xs">
        {KeptAddress.options.map((kept) => (
          // An address is read from left to right, whatever script it begins in.
          <Radio key={kept} value={kept} label={<bdi dir="ltr">{addresses[kept]}</bdi>} description={says[kept]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
