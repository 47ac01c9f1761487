import type { ReactNode } from 'react'
import { DropdownMenu } from 'radix-ui'
import { classes } from './classes.ts'

/**
 * Not modal: a modal menu inserts a style sheet into the page, which the CSP forbids. It is rendered beside its trigger, and so
 * within a landmark.
 */
export function Menu({
  trigger,
  children,
  side = 'bottom',
}: {
  trigger: ReactNode
  children: ReactNode
  side?: 'bottom' | 'top'
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        side={side}
        align="end"
        sideOffset={6}
        collisionPadding={12}
        className="fade z-50 min-w-52 rounded-md border border-line bg-surface p-1 text-sm shadow-float"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

const itemClasses =
  'flex w-full items-center gap-2.5 rounded-sm px-2.5 py-2 outline-none select-none data-highlighted:bg-sunken data-[disabled]:opacity-50'

export function MenuItem({
  icon,
  danger = false,
  onSelect,
  children,
}: {
  icon?: ReactNode
  danger?: boolean
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <DropdownMenu.Item onSelect={onSelect} className={classes(itemClasses, danger && 'text-bad')}>
      {icon}
      {children}
    </DropdownMenu.Item>
  )
}

export function MenuRadioGroup<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}) {
  return (
    <DropdownMenu.RadioGroup
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      aria-label={label}
    >
      <DropdownMenu.Label className="px-2.5 pt-2 pb-1 text-xs text-soft">{label}</DropdownMenu.Label>
      {options.map(([option, text]) => (
        <DropdownMenu.RadioItem
          key={option}
          value={option}
          onSelect={(event) => event.preventDefault()}
          className={itemClasses}
        >
          <span aria-hidden className="grid size-4 place-items-center">
            <DropdownMenu.ItemIndicator className="size-1.5 rounded-full bg-ink" />
          </span>
          {text}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}
