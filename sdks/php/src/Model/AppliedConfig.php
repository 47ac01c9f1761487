<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class AppliedConfig
{
    public function __construct(
        /** Whether the configuration is now as sent. False after a dry run. */
        public bool $applied,
        /** @var list<ConfigChange> What differs, in the order in which it is changed. */
        public array $changes,
        /** How many parts are as sent already. */
        public int $unchanged,
        /** How many are not in the document and stay, because `prune` was not given. */
        public int $kept,
        /** @var list<AppliedConfigSecret> The secrets of what was created. */
        public array $secrets,
        /** Why a change was not made. It and those after it are not applied; send the document again to complete it. */
        public ?AppliedConfigFailure $failure,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            applied: $json['applied'] ?? false,
            changes: array_map(ConfigChange::from(...), $json['changes'] ?? []),
            unchanged: $json['unchanged'] ?? 0,
            kept: $json['kept'] ?? 0,
            secrets: array_map(AppliedConfigSecret::from(...), $json['secrets'] ?? []),
            failure: isset($json['failure']) ? AppliedConfigFailure::from($json['failure']) : null,
        );
    }
}
