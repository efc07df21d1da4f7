"""When and where: live ranges, addresses, the order of issue, prediction."""
