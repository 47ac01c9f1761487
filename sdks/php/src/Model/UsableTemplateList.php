<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class UsableTemplateList
{
    public function __construct(
        /** @var list<UsableTemplate> Ordered by key, the built-in ones first. */
        public array $data,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            data: array_map(UsableTemplate::from(...), $json['data'] ?? []),
        );
    }
}
