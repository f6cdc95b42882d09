package dev.carrel.core.egress;

import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.IpAddress;
import java.util.Optional;

/**
 * Something that is open.
 *
 * @param to whom for
 * @param rule the rule that allowed it
 * @param address where it leads; empty where a proxy above decides
 */
record Passage(Authority to, EgressRule rule, Optional<IpAddress> address) {}
