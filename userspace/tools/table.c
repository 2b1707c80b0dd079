// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

/* The table takes the text over, NULL: there was no memory for it. */
static void add_cell(struct table *table, char *text)
{
	char **more = realloc(table->cells, (table->count + 1) * sizeof(*more));

	if (more)
		table->cells = more;
	if (!more || !text) {
		table->failed = -ENOMEM;
		free(text);
		return;
	}
	table->cells[table->count++] = text;
}

void table_begin(struct table *table, const char *const *headings)
{
	size_t i;

	memset(table, 0, sizeof(*table));
	for (i = 0; headings[i] && i < TABLE_COLUMNS_MAX; i++)
		add_cell(table, strdup(headings[i]));
	table->columns = table->count;
}

void table_add(struct table *table, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text && !*text) {
		free(text);
		text = strdup("-");
	}
	add_cell(table, text);
}

static size_t column_width(const struct table *table, size_t column)
{
	size_t i, length, width = 0;

	for (i = column; i < table->count; i += table->columns) {
		length =
			strlen(table->cells[i]) - (i < table->columns && table->cells[i][0] == '>');
		if (length > width)
			width = length;
	}
	return width;
}

static void print_cell(const struct table *table, size_t i, size_t width)
{
	int right = table->cells[i % table->columns][0] == '>';
	const char *text = table->cells[i] + (i < table->columns && right);

	/* No blanks at the end of a line. */
	if (i % table->columns == table->columns - 1)
		printf("%s\n", text);
	else
		printf("%*s  ", right ? (int)width : -(int)width, text);
}

int table_end(struct table *table)
{
	size_t widths[TABLE_COLUMNS_MAX] = { 0 };
	size_t i;

	for (i = 0; i < table->columns; i++)
		widths[i] = column_width(table, i);
	for (i = 0; !table->failed && table->count > table->columns && i < table->count; i++)
		print_cell(table, i, widths[i % table->columns]);
	for (i = 0; i < table->count; i++)
		free(table->cells[i]);
	free(table->cells);
	return table->failed;
}
