<?php

declare(strict_types=1);

namespace Vidimus;

/** A sealed result that cannot be opened (`no_key`, `damaged`, `unsupported`, `unusable_key`), or must not be accepted (`other_verification`). */
final class SealedResultException extends VidimusException
{
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
