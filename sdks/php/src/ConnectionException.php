<?php

declare(strict_types=1);

namespace Vidimus;

/** There was no response: not reached, connection lost, or timed out. The request may still have taken effect. */
final class ConnectionException extends VidimusException
{
}
