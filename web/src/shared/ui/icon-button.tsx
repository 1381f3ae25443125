import { ActionIcon, Tooltip, type ActionIconProps } from '@mantine/core'
import type { MouseEventHandler, ReactNode } from 'react'

interface IconButtonProps extends Omit<ActionIconProps, 'children'> {
  /** Name for the tooltip and for screen readers. */
  label: string
  type?: 'button' | 'submit'
  onClick?: MouseEventHandler<HTMLButtonElement>
  children: ReactNode
}

/** A button that shows an icon alone and says its name on hover and to screen readers. */
export function IconButton({ label, children, variant = 'subtle', color = 'gray', ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} variant={variant} color={color} {...rest}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
