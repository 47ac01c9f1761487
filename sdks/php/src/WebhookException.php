<?php

declare(strict_types=1);

namespace Vidimus;

/** A webhook that must not be trusted. `reason` is for programs; the message says what to check. */
final class WebhookException extends VidimusException
{
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
